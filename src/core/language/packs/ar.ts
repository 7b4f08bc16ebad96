import { stemmer } from '@orama/stemmers/arabic';
import { stopwords } from '@orama/stopwords/arabic';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const ARABIC: LanguagePack = {
  name: 'arabic',
  code: 'ar',
  stem: stemmer,
  stopWords: stopwords,
  negations: {
    ahead: 'بدون بلا غير',
    aheadForm: /^[وف]?(?:لا|لم|لن|ليس\p{L}{0,2})$/u,
    except: 'فقط',
    or: 'أو أم',
  },
  followUps: {
    continuation:
      /^(?:و(?=كم|كيف|ماذا|متى|أين|هل|لماذا)|لكن|ماذا عن|أيهما|أيهم|(?:لماذا|كيف|متى|أين|أكمل)$)/u,
    pointsBack:
      /(?<!\p{L})(?:هذا|ذلك|هذه|تلك)(?=$| (?:على|في|عن|مع|من|أيضا|صحيح|ممكن|مجاني)(?!\p{L}))|(?<!\p{L})مثال(?:ا|اً)?$/u,
    item: /(?:(?<!\p{L})(?:الخيار|النقطة|الخطوة|الطريقة|المثال|البند)|(?: |^)(?!ال)\p{L}{1,20}) ال(أول|أولى|ثاني|ثانية|ثالث|ثالثة|رابع|رابعة|خامس|خامسة|أخير|أخيرة)$/u,
    ordinals: 'أول ثاني ثالث رابع خامس',
    last: 'أخير',
    numbered: 'رقم',
  },
  sections: {
    summaries: 'ملخص, الملخص, مقدمة, المقدمة',
    overviews: 'خاتمة, الخاتمة, خلاصة',
    keywords: 'الكلمات المفتاحية',
  },
  dates: { beforeYear: 'عام سنة منذ' },
  definitions: {
    sentences: ['{term} (?:هو|هي) (?:عملية|بنية|مجموعة|نوع|علم|جهاز|نظام|مصطلح|عبارة عن|كل) ?{rest}'],
  },
  summaryRequests: {
    leads: 'من فضلك أرجوك هل يمكنك أعطني اعطني أعطنا اكتب قدم لي لنا ما هي هو',
    requests: [
      /^(?:لخص|لخّص|لخصي|لخصوا|تلخيص)(?<rest>$| .*)/u,
      /^(?:ملخصا?|ملخصًا|خلاصة|(?:النقاط|الأفكار) (?:الرئيسية|الأساسية|المهمة))(?<rest>$| .*)/u,
      /^عن (?:ماذا|ما|أي شيء) (?:تتحدث|يتحدث|تتكلم|يتكلم)(?<rest>.*)$/u,
    ],
    ofAll:
      'هذا هذه هذان هؤلاء ذلك تلك الوثيقة الوثائق الملف الملفات المستند المستندات المصدر المصادر الدفتر الصفحة النص النصوص المقال كل جميع من فضلك لي لنا في عن قصيرا موجزا قصير موجز',
    standsFor: /ذلك|هذا$/u,
  },
};

export const ARABIC_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'أ, د',
    numbered: 'ص',
  },
  figures: { uncasedNames: '(?:ال)?شكل', tables: 'جدول' },
};
