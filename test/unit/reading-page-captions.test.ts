import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { locate } from '../../src/core/domain/locator.ts';
import { timeLink } from '../../src/features/recordings/model/time-link.ts';
import { readPage } from '../../src/parsers/html.ts';
import { withPageTranscript } from '../../src/parsers/recordings/page-transcript.ts';
import { findPageCaptions, mayHaveCaptions } from '../../src/parsers/web/page-captions.ts';

const URL_OF_PAGE = 'https://talks.example/harbor/';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const youTube = (captionTracks: readonly object[]): string => {
  const data = {
    videoDetails: { title: 'The "harbor"; {talk}' },
    captions: { playerCaptionsTracklistRenderer: { captionTracks } },
  };
  return `<html><body><div id="player"></div><script nonce="x">if (ytInitialPlayerResponse) {} var ytInitialPlayerResponse = ${JSON.stringify(data)};var meta = document.createElement('meta');</script></body></html>`;
};

describe('captions on a page', () => {
  test('are those of its track elements, in the language of the page first', () => {
    const html = `<html lang="de-CH"><body><video controls>
      <track kind="chapters" src="chapters.vtt"><track src="en.vtt" srclang="en" default>
      <track kind="captions" src="/de.vtt?a=1&amp;b=2" srclang="de"><track kind="metadata" src="x.vtt">
      <track kind="captions" src="javascript:alert(1)"></video></body></html>`;
    assert.ok(mayHaveCaptions(bytesOf(html)));
    assert.deepEqual(findPageCaptions(html, URL_OF_PAGE)?.tracks, [
      'https://talks.example/de.vtt?a=1&b=2',
      'https://talks.example/harbor/en.vtt',
    ]);
  });

  test('are those of YouTube, written ones in the spoken language first', () => {
    const html = youTube([
      { baseUrl: '/api/timedtext?v=1&lang=fr', languageCode: 'fr' },
      { baseUrl: '/api/timedtext?v=1&lang=en&kind=asr', languageCode: 'en', kind: 'asr' },
      { baseUrl: '/api/timedtext?v=1&lang=en', languageCode: 'en-GB' },
    ]);
    const captions = findPageCaptions(html, 'https://video.example/watch?v=1');
    assert.equal(captions?.title, 'The "harbor"; {talk}');
    assert.deepEqual(
      captions.tracks.map((address) => new URL(address).search),
      ['?v=1&lang=en&fmt=vtt', '?v=1&lang=en&kind=asr&fmt=vtt', '?v=1&lang=fr&fmt=vtt'],
    );
    assert.deepEqual(findPageCaptions(youTube([]), 'https://video.example/watch?v=1')?.tracks, []);
  });

  test('are those of Vimeo', () => {
    const html = `<script>window.playerConfig = {"request":{"text_tracks":[{"id":1,"lang":"en-x-autogen","url":"/texttrack/1.vtt"},{"id":2,"lang":"en","url":"/texttrack/2.vtt?token=a"}]}}</script>`;
    assert.deepEqual(findPageCaptions(html, 'https://player.example/video/1')?.tracks, [
      'https://player.example/texttrack/2.vtt?token=a',
      'https://player.example/texttrack/1.vtt',
    ]);
  });

  test('are the transcript in its linked data', () => {
    const data = {
      '@graph': [{ '@type': 'VideoObject', name: 'Harbor', transcript: 'The ferry leaves at nine.' }],
    };
    const html = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
    assert.deepEqual(findPageCaptions(html, URL_OF_PAGE), {
      title: 'Harbor',
      tracks: [],
      transcript: 'The ferry leaves at nine.',
    });
  });

  test('are missing from pages without a video, and from damaged data', () => {
    assert.equal(findPageCaptions('<p>A page.</p><video autoplay loop></video>', URL_OF_PAGE), undefined);
    assert.equal(
      findPageCaptions('<script>ytInitialPlayerResponse = {"a": [</script>', URL_OF_PAGE),
      undefined,
    );
    assert.deepEqual(findPageCaptions('<meta property="og:type" content="video.other">', URL_OF_PAGE), {
      title: undefined,
      tracks: [],
      transcript: undefined,
    });
    assert.ok(!mayHaveCaptions(bytesOf('<p>A page about harbors.</p>')));
  });
});

describe('a page with a transcript', () => {
  const vtt = 'WEBVTT\n\n00:01:05.000 --> 00:01:09.000\n<v Ada>The ferry leaves at nine.\n';
  const html = `<title>The harbor</title><main><h1>The harbor</h1><p>${'The harbor was dug in 1890, and its quay is made of granite. '.repeat(4)}</p></main>`;

  test('has its own text without times, and then the transcript with times', async () => {
    const video = { title: undefined, text: bytesOf(vtt), isTimed: true };
    const read = (): Promise<ReturnType<typeof readPage>> => Promise.resolve(readPage(html, URL_OF_PAGE));
    const { text, map, headings, format } = await withPageTranscript(read, video);
    assert.equal(format, 'markdown');
    assert.ok(text.endsWith('\n\n## Transcript\n\nAda: The ferry leaves at nine.'));
    const heading = headings.at(-1);
    assert.equal(text.slice(heading?.offset).split('\n')[0], '## Transcript');
    const timeOf = (words: string): unknown => {
      const start = text.indexOf(words);
      const locator = locate(text, map, { start, end: start + words.length });
      return locator.kind === 'saved' ? locator.time : locator.kind;
    };
    assert.deepEqual(timeOf('leaves at nine'), { from: 65, to: 69 });
    assert.equal(timeOf('granite'), undefined);
  });

  test('is the transcript alone if the page has no text, which fails without captions', async () => {
    const fail = (): Promise<never> => Promise.reject(new NotebookError('empty', 'Nothing.'));
    const video = { title: 'Harbor', text: bytesOf(vtt), isTimed: true };
    const { title, text } = await withPageTranscript(fail, video);
    assert.deepEqual([title, text], ['Harbor', 'Ada: The ferry leaves at nine.']);
    const empty = { title: 'Harbor', text: bytesOf('WEBVTT\n'), isTimed: true };
    await assert.rejects(withPageTranscript(fail, empty), { code: 'empty' });
  });
});

test('the link to a time has it as the site expects it', () => {
  assert.equal(
    timeLink('https://www.youtube.com/watch?v=a&t=5s', 65.9),
    'https://www.youtube.com/watch?v=a&t=65s',
  );
  assert.equal(timeLink('https://youtu.be/a', 3), 'https://youtu.be/a?t=3s');
  assert.equal(timeLink('https://vimeo.com/1', 65), 'https://vimeo.com/1#t=65s');
  assert.equal(timeLink('https://talks.example/a?b=1', 65), 'https://talks.example/a?b=1#t=65');
  assert.equal(timeLink('https://notyoutube.com/a', 1), 'https://notyoutube.com/a#t=1');
});
