package io.headgate.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starts transfers. That a customer may start ten a minute stands in application.yaml. */
@SpringBootApplication
@RestController
public class TransfersApplication {

  /** For Spring. */
  public TransfersApplication() {}

  /** Serves on port 7203 until the process is ended. */
  public static void main(String[] args) {
    SpringApplication.run(TransfersApplication.class, args);
  }

  @PostMapping("/api/transfers")
  String transfer() {
    return "started\n";
  }
}
