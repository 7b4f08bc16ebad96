import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFollowUp } from '../../src/core/language/follow-ups.ts';
import { carriedWords, understand } from '../../src/answers/question/understand.ts';
import { itemPointedAt } from '../../src/answers/question/pointed-item.ts';

const standing = `What is chalk?
What is a promise and when does it reject?
How do I stop a Pod when it hangs?
Is it possible to watch a directory with chokidar?
How long does it take to index a PDF?
If a file is locked, does it still get read?
Which settings of this notebook change how passages are split?
What is the first release of the Linux kernel?
When was the second world war?
What is the difference between then and catch?
Does sudo keep its password across terminals?
How can users change their passwords on Arch Linux?
How do teachers grade essays and give feedback on them?
What else can grep match besides fixed strings?
Which one of the Kubernetes service types exposes a static port?
How does Kubernetes restart a container after it crashed?
Can middleware be asynchronous in Django?
How can I make sure that changes are saved before the window closes?
When is this year's conference?
What is the third law of thermodynamics?
Which function reads files and closes them?
What happens to a file when Git ignores it?
Are eggs safe to eat when their shells are cracked?`.split('\n');

const leaning = `And how does the second one do that?
Why?
And where?
How do I install it?
Is that the default?
What about Windows?
Can I change this?
Which of them is faster?
How are they restarted?
Tell me more
Is there another way?
Could you give me an example?
Does the same hold for directories?
How is this different from a thread?
How do I check that in code?
So what is the limit?
Does it support glob patterns and symbolic links on macOS?
How can they be run in parallel with a limit of four at once?
What does option 2 do?
Which is better?
What are the drawbacks of the first approach?
What is the difference between them?
Which version fixes it?
Who maintains it?
What causes them?`.split('\n');

test('distinguishes a standalone question from a follow-up', () => {
  assert.deepEqual(standing.filter(isFollowUp), []);
  assert.deepEqual(
    leaning.filter((question) => !isFollowUp(question)),
    [],
  );
});

const kinds = [
  'There are three kinds:',
  '',
  '1. **ClusterIP**, reachable inside',
  '2. **NodePort**, a port of every node',
  '   - within a range',
  '3. LoadBalancer',
  '',
  '- not of the list',
].join('\n');

test('finds an item by its position in the list of the last answer', () => {
  assert.equal(
    itemPointedAt('And how does the second one do that?', kinds),
    'NodePort, a port of every node',
  );
  assert.equal(
    itemPointedAt('Und was macht der zweite?', 'Es gibt drei Ausgänge, nämlich Mono, Stereo und Return.'),
    'Stereo',
  );
  assert.equal(itemPointedAt('What is the last for?', kinds), undefined);
  assert.equal(itemPointedAt('What does the last one do?', kinds), 'LoadBalancer');
  assert.equal(itemPointedAt('Is the former safe?', kinds), undefined);
  assert.equal(itemPointedAt('How does the former work?', kinds), 'ClusterIP, reachable inside');
  assert.equal(itemPointedAt('Explain option 3', kinds), 'LoadBalancer');
  assert.equal(itemPointedAt('And the 9th one?', kinds), undefined);
  assert.equal(itemPointedAt('What is the second world war?', kinds), undefined);
});

test('finds an item by its name', () => {
  const long = '- **Search (SEO)** — [SEO](https://example.org/seo) is work.\n- **Mail**: letters to many.';
  assert.equal(itemPointedAt('How does the first one work?', long), 'Search (SEO)');
  assert.equal(itemPointedAt('How does the second one work?', long), 'Mail');
  const labels = '**`NodePort`**\n\nA port.\n\n**`LoadBalancer`**\n\nA balancer.';
  assert.equal(itemPointedAt('What is the second one for?', labels), 'LoadBalancer');
  const headings = 'Type: object\n\n##### concurrency\n\nHow many.\n\n##### timeout\n\nHow long.';
  assert.equal(itemPointedAt('What is the default of the second one?', headings), 'timeout');
});

test('finds a list in a table or in a sentence', () => {
  const table = '| Name | Use |\n| --- | --- |\n| mono | voices |\n| stereo | music |\n\nThat is all.';
  assert.equal(itemPointedAt('What is the second one?', table), 'stereo   music');
  const sentence = 'The channels are mono, stereo, and return. Each has a fader.';
  assert.equal(itemPointedAt('And the third one?', sentence), 'return');
  assert.equal(itemPointedAt('And the third one?', 'There is one channel.'), undefined);
});

test('adds the item and the earlier questions that a follow-up refers to', () => {
  const history = [
    { question: 'What is a node?', answer: 'A machine.' },
    { question: 'Which kinds of services are there?', answer: kinds },
  ];
  const carried = 'NodePort, a port of every node\nWhich kinds of services are there?';
  assert.equal(carriedWords('How does the second one do that?', history), carried);
  assert.equal(carriedWords('Which ports does a NodePort use?', history), '');
  assert.deepEqual(understand('How does the second one do that?', history), {
    summary: undefined,
    query: `How does the second one do that?\n${carried}`,
  });
  assert.deepEqual(understand('Summarize the post-mortem', history), {
    summary: { subject: 'post-mortem' },
    query: 'post-mortem',
  });
});
