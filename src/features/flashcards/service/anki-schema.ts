/** Tables of an Anki collection, version 11, which all versions of Anki can read. */
export const ANKI_SCHEMA = `
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
  ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
  models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
  usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
  flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
  ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL,
  odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
  ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL, type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
`;

/** Note types. Their IDs are constant, so that a repeated import finds its own. */
export const QUESTION_TYPE = 1_763_000_000_001;
export const CLOZE_TYPE = 1_763_000_000_002;

const CSS = `.card { font-family: system-ui, sans-serif; font-size: 20px; text-align: center; }
pre { text-align: start; overflow-x: auto; }
.cloze { font-weight: bold; }
.source { margin-top: 1.5em; font-size: 70%; opacity: 0.75; }`;

const SOURCE = '{{#Source}}<div class="source">{{Source}}</div>{{/Source}}';

/** Returns the models of a collection; `seconds` is the current time since 1970. */
export function ankiModels(deckId: number, seconds: number): string {
  const question = {
    ...{ id: QUESTION_TYPE, name: 'Open Notebook Question', type: 0 },
    flds: ['Front', 'Back', 'Source'].map(field),
    tmpls: [template('Card 1', '{{Front}}', `{{FrontSide}}\n\n<hr id="answer">\n\n{{Back}}\n\n${SOURCE}`)],
    req: [[0, 'any', [0]]],
  };
  const cloze = {
    ...{ id: CLOZE_TYPE, name: 'Open Notebook Cloze', type: 1 },
    flds: ['Text', 'Back Extra', 'Source'].map(field),
    tmpls: [template('Cloze', '{{cloze:Text}}', `{{cloze:Text}}<br>\n{{Back Extra}}\n\n${SOURCE}`)],
  };
  const shared = {
    ...{ mod: seconds, usn: -1, sortf: 0, did: deckId, css: CSS, latexsvg: false, tags: [], vers: [] },
    latexPre:
      '\\documentclass[12pt]{article}\n\\special{papersize=3in,5in}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amssymb,amsmath}\n\\pagestyle{empty}\n\\setlength{\\parindent}{0in}\n\\begin{document}\n',
    latexPost: '\\end{document}',
  };
  return JSON.stringify({
    [QUESTION_TYPE]: { ...shared, ...question },
    [CLOZE_TYPE]: { ...shared, ...cloze },
  });
}

function field(name: string, ord: number): object {
  return { name, ord, sticky: false, rtl: false, font: 'Arial', size: 20, media: [] };
}

function template(name: string, qfmt: string, afmt: string): object {
  return { name, ord: 0, qfmt, afmt, bqfmt: '', bafmt: '', did: null, bfont: '', bsize: 0 };
}

/** Returns the decks of a collection: the default deck, which every collection has, and the exported deck. */
export function ankiDecks(deckId: number, name: string, seconds: number): string {
  const deck = (id: number, called: string): object => ({
    ...{ id, name: called, mod: seconds, usn: -1, desc: '', dyn: 0, conf: 1, extendNew: 0, extendRev: 0 },
    ...{ collapsed: false, browserCollapsed: false },
    ...{ newToday: [0, 0], revToday: [0, 0], lrnToday: [0, 0], timeToday: [0, 0] },
  });
  return JSON.stringify({ 1: deck(1, 'Default'), [deckId]: deck(deckId, name) });
}

/** Deck options: Anki's defaults. */
export const ANKI_DECK_OPTIONS = JSON.stringify({
  1: {
    ...{ id: 1, name: 'Default', mod: 0, usn: 0, maxTaken: 60, timer: 0, autoplay: true, replayq: true },
    ...{ dyn: false },
    new: { bury: false, delays: [1, 10], initialFactor: 2500, ints: [1, 4, 0], order: 1, perDay: 20 },
    rev: { bury: false, ease4: 1.3, ivlFct: 1, maxIvl: 36500, perDay: 200, hardFactor: 1.2 },
    lapse: { delays: [10], leechAction: 1, leechFails: 8, minInt: 1, mult: 0 },
  },
});

/** Returns a collection's settings as JSON, for a deck with `cards` cards; `deckId` is Anki's ID for it. */
export function ankiSettings(deckId: number, cards: number): string {
  return JSON.stringify({
    ...{ activeDecks: [1], curDeck: 1, curModel: QUESTION_TYPE, nextPos: cards + 1, newSpread: 0 },
    ...{ collapseTime: 1200, timeLim: 0, estTimes: true, dueCounts: true, addToCur: true },
    ...{ sortType: 'noteFld', sortBackwards: false, dayLearnFirst: false, schedVer: 2 },
    ...{ _deck_1_lastNotetype: QUESTION_TYPE, lastDeck: deckId },
  });
}
