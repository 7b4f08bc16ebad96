// A reader that hangs on files named “stuck” and answers everything else.
process.on('message', ({ id, method, params }) => {
  if (method !== 'read') return;
  while (JSON.stringify(params).includes('"stuck"'));
  process.send?.({ jsonrpc: '2.0', id, result: { result: { kind: 'unchanged' } } });
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
