import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { literalText } from '../../src/platform/literal-text.ts';

/**
 * Matches text that VS Code turns into links and icons: every link form that it knows has its text right before its
 * address.
 */
const LIVE = /\]\(|\$\(/;

/** Returns what a user sees: word joiners have no width. */
const seen = (text: string): string => text.replaceAll('\u2060', '');

suite('literalText', () => {
  const hostile = [
    '[Update](command:workbench.action.quit)',
    '[Update](COMMAND:a.b?%5B1%5D "Safe")',
    "[Sign in](https://evil.example/?q=1 'Open Notebook')",
    '[Open](file:///etc/passwd)',
    '[[a](http://a.example)](http://b.example)',
    'a](command:b)',
    '[a]((command:b)',
    '[a](command:b)[c](command:d)',
    '$(verified) Trusted',
    '\\$(sync~spin)',
    '$$((error)',
  ];
  for (const text of hostile)
    test(`leaves no link or icon in ${text}`, () => {
      assert.doesNotMatch(literalText(text), LIVE);
      assert.equal(seen(literalText(text)), text);
    });

  test('leaves no link that two adjacent titles form', () => {
    assert.doesNotMatch(literalText(['[Update]', '(command:a)'].join('')), LIVE);
  });

  test('returns other text unchanged', () => {
    for (const text of ['Moved “a [1] (2)” to b.', 'f(x)[0] costs $5 (about)', ''])
      assert.equal(literalText(text), text);
  });

  test('changes nothing when it runs again', () => {
    const once = literalText('[a](command:b) $(x)');
    assert.equal(literalText(once), once);
  });
});
