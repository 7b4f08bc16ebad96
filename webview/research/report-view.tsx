import type { JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { t } from '@vscode/l10n';
import type { ResearchSource } from '../../src/features/research/protocol.ts';
import { errorMessage } from '../../src/core/domain/errors.ts';
import type { NoteAnswer } from '../../src/features/research/model/note-answer.ts';
import type { Research } from '../../src/features/research/model/project.ts';
import { ResearchHostContext } from './host.ts';
import { CitedText } from './product-view.tsx';

/** ID of the report in requests for its citations. */
const REPORT = 'report';

/** Shows the report of a project. Loads it again when its note or a source changes. */
export function ReportView({
  research: { report: title, reportChangedAt },
  sources,
}: {
  readonly research: Research;
  readonly sources: readonly ResearchSource[];
}): JSX.Element {
  const { client } = useContext(ResearchHostContext);
  const [report, setReport] = useState<NoteAnswer | { readonly problem: string }>();
  useEffect(() => {
    let isCurrent = true;
    client.call('report', {}).then(
      (loaded) => isCurrent && setReport(loaded),
      (error: unknown) => isCurrent && setReport({ problem: errorMessage(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, title, reportChangedAt, sources]);
  if (report === undefined) return <p class="quiet">{t('Reading…')}</p>;
  if ('problem' in report)
    return (
      <p class="problem" role="alert">
        {report.problem}
      </p>
    );
  const { text, statements, citations } = report;
  return <CitedText textId={REPORT} text={text} statements={statements} citations={citations} />;
}
