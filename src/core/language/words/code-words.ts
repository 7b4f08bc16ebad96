import { ENGLISH, makeWord, termsOfWord } from './word-terms.ts';

/**
 * Common abbreviations in names in code, each before the words that it can stand for. In functions of this project's
 * dependencies whose documentation alone has the word, 59 of the 77 pairs are at least twice as frequent as by chance:
 * see test/support/fit-abbreviations.ts.
 */
const ABBREVIATIONS =
  'arg argument,arr array,attr attribute,auth authentication authorization,bool boolean,btn button,buf buffer,' +
  'calc calculate,cfg configuration,char character,cmd command,col column,cond condition,conf configuration,' +
  'config configuration,conn connection,ctx context,db database,del delete,desc description,dest destination,' +
  'dict dictionary,diff difference,dir directory,dist distance,doc document,elem element,env environment,err error,' +
  'exec execute,expr expression,ext extension,fmt format,fn function,freq frequency,func function,idx index,img image,' +
  'info information,init initialize,int integer,iter iterate iterator,lang language,len length,lib library,max maximum,' +
  'mem memory,min minimum,msg message,num number,obj object,param parameter,pkg package,pos position,prev previous,' +
  'proc process,prop property,ptr pointer,rand random,ref reference,req request,res response,resp response,ret return,' +
  'seq sequence,spec specification,src source,std standard,str string,sub substitute,sync synchronize,temp temporary,' +
  'tmp temporary,txt text,val value,var variable,vec vector';

const PROGRAMMING_LANGUAGES =
  'bash golang haskell java javascript kotlin matlab perl php python python2 python3 ruby rust scala typescript';

function termOf(word: string): string {
  return termsOfWord(makeWord(word), ENGLISH)[0] ?? word;
}

/** Abbreviations by the terms of their words, and the other way around. `PURE` lets bundles drop the calls. */
const otherForms = /* @__PURE__ */ formsByTerm();

function formsByTerm(): ReadonlyMap<string, readonly string[]> {
  const pairs = ABBREVIATIONS.split(',').flatMap((words) => {
    const [short = '', ...long] = words.split(' ').map(termOf);
    return long
      .filter((word) => word !== short)
      .flatMap((word) => [[word, short] as const, [short, word] as const]);
  });
  return new Map(
    Array.from(
      Map.groupBy(pairs, ([term]) => term),
      ([term, own]) => [term, own.map(([, other]) => other)] as const,
    ),
  );
}

const programmingLanguages: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ PROGRAMMING_LANGUAGES.split(' ').map(termOf),
);

/** Returns the terms of a word's abbreviations in names in code, or of the words that it abbreviates. */
export function abbreviationsOf(term: string): readonly string[] {
  return otherForms.get(term) ?? [];
}

/** Reports whether a term is the name of a programming language. */
export function isProgrammingLanguage(term: string): boolean {
  return programmingLanguages.has(term);
}
