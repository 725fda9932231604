/** Where the time comes from; @feed/runtime's `Clock` fits. */
export interface SigningClock {
  nowMs(): number;
}
