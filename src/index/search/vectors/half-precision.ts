/** Reports whether all half-precision numbers are finite. */
export function isFinite16(bytes: Uint8Array<ArrayBuffer>): boolean {
  const exponent = 0x7c00;
  return new Uint16Array(bytes.buffer).every((bits) => (bits & exponent) !== exponent);
}
