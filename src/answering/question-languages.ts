import { stopwords as arabic } from '@orama/stopwords/arabic';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as turkish } from '@orama/stopwords/turkish';

const ENGLISH = new Set([...english, 'a', 'did', 'get', 'many', 'much']);
/** What is asked with in other languages: their stop words, and the words of questions that these lack. */
const OTHERS: readonly ReadonlySet<string>[] = (
  [
    [
      german,
      'alt bekomme bekommt brauche darf dürfen geben gibt groß hoch ist kostet lang lange lautet liegt macht mag möchte oft passiert sollen sollte viele wann warum weit wer weshalb wem wen wessen wieso wieviel wird wofür woher wohin womit worum wozu',
    ],
    [french, 'combien comment dois doit est-ce faire faut peut peux pourquoi puis quand quoi où y'],
    [
      spanish,
      'cuál cuales cuáles cuándo cuánta cuánto cuántas cuántos cómo dónde hacer hago puede puedo qué quién',
    ],
    [italian, 'che come cosa deve devo dove fare fa perché può posso qual quale quali quando quanta quanto'],
    [portuguese, 'como faço fazer onde pode posso quais qual quando quanta quanto quantos quem'],
    [dutch, 'heb hoe hoeveel krijg kunnen mag moet waar waarom wanneer welk welke wie wordt'],
    [swedish, 'får gör hur kan måste när vad var varför vem vilken vilket vilka'],
    [norwegian, 'får gjør hva hvem hvilke hvilken hvilket hvor hvordan hvorfor kan må mange mye når'],
    [danish, 'får gør hvad hvem hvilke hvilken hvilket hvor hvordan hvorfor kan må mange meget når'],
    [
      russian,
      'где зачем как какая какие какой какое когда который кто куда можно можете нужно почему сколько что',
    ],
    [turkish, 'hangi kaç kim nasıl ne neden nedir nerede niçin zaman'],
    [arabic, 'أي أين كم كيف لماذا ما ماذا متى من هل هي هو يجب يمكن أفعل'],
  ] as const
).map(([listed, more]) => new Set([...listed, ...more.split(' ')]));

/** Of Chinese, Japanese and Korean, whose words are told apart by a dictionary. */
const UNSPACED = new Set(
  (
    '什么 怎么 怎样 怎么样 如何 为什么 为何 多久 多少 多长 多大 几个 哪里 哪儿 哪些 哪个 哪 谁 何时 何 几 可以 应该 应当 能否 能 是否 是 需要 请问 有 没有 ' +
    '吗 呢 的 了 我 你 用 要 会 在 和 与 甚麼 怎麼 怎樣 為什麼 為何 哪裡 誰 幾 應該 需要 請問 沒有 嗎 ' +
    'です ます ですか ますか ください なに なん 何 どう どこ いつ だれ 誰 なぜ どの どれ どんな どのように いくつ いくら する した して ある いる こと もの ' +
    '무엇 무엇인가 무엇인가요 뭐 언제 어디 어디에 어디서 누구 누가 왜 어떻게 얼마 얼마나 몇 어떤 무슨 있나 있나요 인가 인가요 입니까 합니까 됩니까'
  ).split(' '),
);

/** Tells of the words of a question, lower-cased, which carry nothing to look for in the question's own language. */
export function askingWordsFor(words: readonly string[]): (word: string) => boolean {
  const inEnglish = words.filter((word) => ENGLISH.has(word)).length;
  let own: ReadonlySet<string> | undefined;
  let most = inEnglish;
  for (const language of OTHERS) {
    const count = words.filter((word) => language.has(word)).length;
    if (count > most) [own, most] = [language, count];
  }
  return (word) => own?.has(word) === true || UNSPACED.has(word);
}
