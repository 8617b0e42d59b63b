package io.headgate.control.controller;

/** What a rule of global scope does about a region that has been cut off for longer than a hold. */
enum WhenCutOff {
  SHARE,
  OPEN
}
