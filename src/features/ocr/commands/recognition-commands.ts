import { type Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { type SourcesNode } from '../../sources/editor/source-items.ts';

/** Returns the commands for the text recognition of scans. */
export function recognitionCommands({ recognition, languages }: Services): Commands {
  const ids = (clicked?: SourcesNode): string[] | undefined => clicked && [clicked.source.id];
  return {
    pauseRecognition: (clicked?: SourcesNode) => recognition.pause(ids(clicked)),
    resumeRecognition: (clicked?: SourcesNode) => recognition.resume(ids(clicked)),
    chooseRecognitionLanguages: async () => {
      const { chooseLanguages } = await import('../editor/choose-languages.ts');
      await chooseLanguages(languages);
    },
  };
}
