package io.headgate.control.controller;

import io.headgate.protocol.v1.BucketDefinition;
import io.headgate.protocol.v1.LevelRate;
import io.headgate.protocol.v1.RegionReport;
import io.headgate.protocol.v1.ZoneReport;
import java.util.List;

/** What the reports of zones and of regions have in common; columns are read without boxing. */
interface RateReport {

  List<BucketDefinition> definitions();

  boolean complete();

  int rows();

  int bucket(int row);

  double offered(int row);

  double dropped(int row);

  double wouldDrop(int row);

  /** As {@link ZoneReport#getVarianceList()}; that of a count over one second if left out. */
  double variance(int row);

  /** Of offered, the demand of sources that cannot be told to shed. */
  double held(int row);

  List<LevelRate> levels();

  /** Whether each column has an entry for each row, or may be left out and is. */
  boolean hasEvenColumns();

  static RateReport of(ZoneReport report) {
    return new OfZone(report);
  }

  static RateReport of(RegionReport report) {
    return new OfRegion(report);
  }

  private static boolean isEven(int entries, int rows) {
    return entries == 0 || entries == rows;
  }

  /** Of an aggregator's part of a zone. */
  record OfZone(ZoneReport report) implements RateReport {

    @Override
    public List<BucketDefinition> definitions() {
      return report.getDefineList();
    }

    @Override
    public boolean complete() {
      return report.getComplete();
    }

    @Override
    public int rows() {
      return report.getBucketCount();
    }

    @Override
    public int bucket(int row) {
      return report.getBucket(row);
    }

    @Override
    public double offered(int row) {
      return report.getOfferedCount() == 0 ? 0 : report.getOffered(row);
    }

    @Override
    public double dropped(int row) {
      return report.getDroppedCount() == 0 ? 0 : report.getDropped(row);
    }

    @Override
    public double wouldDrop(int row) {
      return report.getWouldDropCount() == 0 ? 0 : report.getWouldDrop(row);
    }

    @Override
    public double variance(int row) {
      return report.getVarianceCount() == 0 ? offered(row) : report.getVariance(row);
    }

    @Override
    public double held(int row) {
      return 0;
    }

    @Override
    public List<LevelRate> levels() {
      return report.getLevelList();
    }

    @Override
    public boolean hasEvenColumns() {
      return isEven(report.getOfferedCount(), rows())
          && isEven(report.getDroppedCount(), rows())
          && isEven(report.getWouldDropCount(), rows())
          && isEven(report.getVarianceCount(), rows());
    }
  }

  /** Of another region. */
  record OfRegion(RegionReport report) implements RateReport {

    @Override
    public List<BucketDefinition> definitions() {
      return report.getDefineList();
    }

    @Override
    public boolean complete() {
      return report.getComplete();
    }

    @Override
    public int rows() {
      return report.getBucketCount();
    }

    @Override
    public int bucket(int row) {
      return report.getBucket(row);
    }

    @Override
    public double offered(int row) {
      return report.getOfferedCount() == 0 ? 0 : report.getOffered(row);
    }

    @Override
    public double dropped(int row) {
      return report.getDroppedCount() == 0 ? 0 : report.getDropped(row);
    }

    @Override
    public double wouldDrop(int row) {
      return report.getWouldDropCount() == 0 ? 0 : report.getWouldDrop(row);
    }

    @Override
    public double variance(int row) {
      return report.getVarianceCount() == 0 ? offered(row) : report.getVariance(row);
    }

    @Override
    public double held(int row) {
      return report.getHeldCount() == 0 ? 0 : report.getHeld(row);
    }

    @Override
    public List<LevelRate> levels() {
      return report.getLevelList();
    }

    @Override
    public boolean hasEvenColumns() {
      return isEven(report.getOfferedCount(), rows())
          && isEven(report.getDroppedCount(), rows())
          && isEven(report.getWouldDropCount(), rows())
          && isEven(report.getVarianceCount(), rows())
          && isEven(report.getHeldCount(), rows());
    }
  }
}
