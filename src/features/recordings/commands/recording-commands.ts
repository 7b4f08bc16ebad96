import { type Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { type SourcesNode } from '../../sources/editor/source-items.ts';

/** Returns the commands for recordings and their transcripts. */
export function recordingCommands({
  notebook,
  transcription,
  transcribe,
  renameSpeakers,
  generateChapters,
  removeChapters,
  sourcesView,
}: Services): Commands {
  const ids = (clicked?: SourcesNode): string[] | undefined => clicked && [clicked.source.id];
  const withRecording = async (
    clicked: SourcesNode | undefined,
    run: Services['renameSpeakers'],
  ): Promise<void> => {
    const [node] = sourcesView.chosenNodes(clicked);
    if (node?.kind === 'document') await run(node.document);
    else if (node?.source.origin.kind === 'file')
      await run({ sourceId: node.source.id, uri: node.source.origin.uri });
  };
  return {
    transcribe: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const chosen = sourcesView.listSelected(clicked, selected);
      await transcribe(chosen.length > 0 ? chosen : await notebook.call('sources', {}));
    },
    renameSpeakers: (clicked?: SourcesNode) => withRecording(clicked, renameSpeakers),
    generateChapters: (clicked?: SourcesNode) => withRecording(clicked, generateChapters),
    removeChapters: (clicked?: SourcesNode) => withRecording(clicked, removeChapters),
    pauseTranscription: (clicked?: SourcesNode) => transcription.pause(ids(clicked)),
    resumeTranscription: (clicked?: SourcesNode) => transcription.resume(ids(clicked)),
    cancelTranscription: (clicked?: SourcesNode) => transcription.cancel(ids(clicked)),
  };
}
