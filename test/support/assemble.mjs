import wabt from 'wabt';

/**
 * WebAssembly text as bytes.
 * @param {string} text
 * @returns {Promise<Uint8Array>}
 */
export async function assemble(text) {
  const { parseWat } = await wabt();
  const module = parseWat('kernel.wat', text, { simd: true, relaxed_simd: true });
  try {
    return module.toBinary({}).buffer;
  } finally {
    module.destroy();
  }
}
