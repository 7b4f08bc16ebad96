import { stemmer } from '@orama/stemmers/english';

/** Irregular forms after their base word, without forms that are also words of their own. */
const FORMS =
  'become became,begin began begun,bite bit bitten,blow blew blown,break broke broken,bring brought,build built,buy bought,' +
  'calf calves,catch caught,child children,choose chose chosen,creep crept,deal dealt,dig dug,draw drew drawn,' +
  'drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feed fed,feel felt,fight fought,flee fled,' +
  'fly flew flown,foot feet,forbid forbade forbidden,forget forgot forgotten,freeze froze frozen,get got gotten,' +
  'give gave given,goose geese,grow grew grown,half halves,hang hung,hear heard,hide hid hidden,hold held,' +
  'keep kept,knife knives,know knew known,lead led,leaf leaves,lend lent,life lives,loaf loaves,lose lost,' +
  'make made,mean meant,meet met,mouse mice,pay paid,ride rode ridden,rise rose risen,run ran,say said,' +
  'see saw seen,seek sought,sell sold,send sent,shake shook shaken,shelf shelves,shoot shot,shrink shrank shrunk,' +
  'sing sang sung,sink sank sunk,sleep slept,slide slid,speak spoke spoken,spend spent,spin spun,' +
  'steal stole stolen,stick stuck,strike struck stricken,swear swore sworn,swim swam swum,take took taken,' +
  'teach taught,tear tore torn,tell told,thief thieves,think thought,throw threw thrown,tooth teeth,' +
  'understand understood,wake woke woken,wear wore worn,weave wove woven,win won,wolf wolves,woman women,' +
  'write wrote written,withdraw withdrew withdrawn,overwrite overwrote overwritten,rebuild rebuilt,resend resent,' +
  'index indices,vertex vertices,matrix matrices,criterion criteria,phenomenon phenomena,appendix appendices';

/** `PURE` lets bundles without the stemmer drop the call. */
const base = /* @__PURE__ */ baseByForm();

function baseByForm(): ReadonlyMap<string, string> {
  return new Map(
    FORMS.split(',').flatMap((forms) => {
      const [word = '', ...others] = forms.split(' ');
      return others.map((form) => [form, word] as const);
    }),
  );
}

/**
 * Returns the stem of a lower-case English word; irregular forms have the stem of their base word. Orama's stemmer
 * turns "connection" into "connec", so this restores the letter before "ion" that Porter keeps.
 */
export function stemEnglish(form: string): string {
  const word = withoutIrregularForm(form);
  const stem = stemmer(word);
  const letter = /([st])ions?$/.exec(word)?.[1];
  return letter !== undefined && word.startsWith(`${stem}${letter}ion`) ? stem + letter : stem;
}

/** Returns the base word of an irregular lower-case English form, or the word itself. */
function withoutIrregularForm(word: string): string {
  return base.get(word) ?? word;
}
