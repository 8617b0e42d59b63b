package io.headgate.control.controller;

import io.headgate.protocol.link.Link;
import io.headgate.protocol.link.LinkListener;
import io.headgate.protocol.v1.ControllerHello;
import io.headgate.protocol.v1.RegionMessage;
import io.headgate.protocol.v1.RegionReport;
import org.jspecify.annotations.Nullable;

/** A stream that a controller of another region has opened; its reports come here. */
final class PeerStream implements LinkListener<RegionMessage> {

  private final Exchange owner;
  private final Refusals refusals;
  private final Link<RegionMessage> link;
  private final String address;
  private final RateTable rates;

  private @Nullable ControllerHello hello;
  private long lastSequence;

  PeerStream(
      Exchange owner,
      Refusals refusals,
      Link<RegionMessage> link,
      String address,
      RateTable rates) {
    this.owner = owner;
    this.refusals = refusals;
    this.link = link;
    this.address = address;
    this.rates = rates;
  }

  @Override
  public void onMessage(RegionMessage message) {
    switch (message.getKindCase()) {
      case HELLO -> hello(message.getHello());
      case REPORT -> report(message.getReport());
      case KIND_NOT_SET -> refusals.count(Refusal.OUT_OF_ORDER);
    }
  }

  @Override
  public void onClosed(String reason) {
    owner.closed(this, reason);
  }

  void send(RegionMessage message) {
    link.send(message);
  }

  void close() {
    link.close();
  }

  String address() {
    return address;
  }

  RateTable rates() {
    return rates;
  }

  /** What the peer has said of itself, or null if nothing yet. */
  @Nullable ControllerHello hello() {
    return hello;
  }

  private void hello(ControllerHello hello) {
    ControllerHello before = this.hello;
    if (before != null
        && !(before.getControllerId().equals(hello.getControllerId())
            && before.getEpoch() == hello.getEpoch()
            && before.getRegion().equals(hello.getRegion()))) {
      refusals.count(Refusal.OUT_OF_ORDER);
    } else if (before != null || owner.welcome(this, hello)) {
      this.hello = hello;
    }
  }

  private void report(RegionReport report) {
    ControllerHello from = hello;
    if (from == null) {
      refusals.count(Refusal.OUT_OF_ORDER);
    } else if (Long.compareUnsigned(report.getSequence(), lastSequence) <= 0) {
      rates.define(report.getDefineList());
      refusals.count(Refusal.REPEATED);
    } else if (rates.apply(RateReport.of(report))) {
      lastSequence = report.getSequence();
      owner.reported(this, from, report.getUrgent());
    }
    if (rates.isExhausted()) {
      owner.exhausted(this);
    }
  }
}
