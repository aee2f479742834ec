import {
  countVerdicts,
  type ServiceFinding,
  type ServiceReport,
  verdictTexts,
} from '@/lib/operations/service-check'

const getMaxTextLength = (texts: readonly string[]): number =>
  Math.max(0, ...texts.map((text) => text.length))

const formatTiming = ({ status, took_ms }: ServiceFinding): string =>
  took_ms === undefined
    ? ''
    : `${String(status ?? '-').padStart(3)} ${String(took_ms).padStart(6)} ms  `

function formatFindingGroup(title: string, findings: readonly ServiceFinding[]): string[] {
  const labelWidth = getMaxTextLength(findings.map(({ label }) => label))
  const verdictWidth = getMaxTextLength(Object.values(verdictTexts))
  return [
    title,
    ...findings.flatMap((finding) => {
      const { label, verdict, text, set } = finding
      const timingText = findings.some(({ took_ms }) => took_ms !== undefined)
        ? formatTiming(finding).padEnd(15)
        : ''
      const linePrefix = `  ${label.padEnd(labelWidth)}  ${verdictTexts[verdict].padEnd(verdictWidth)}  ${timingText}`
      return [`${linePrefix}${text}`, ...(set ? [`${' '.repeat(linePrefix.length)}→ ${set}`] : [])]
    }),
    '',
  ]
}

/** Uses no colors, so that the text can be stored in a file and compared. */
export function formatServiceReport({
  environment,
  groups,
  calls,
  took_ms,
  stopped,
  ...report
}: ServiceReport): string {
  const verdictCounts = countVerdicts({ groups })
  return [
    `${environment.toUpperCase()}, ${report.started_at}`,
    '',
    ...groups.flatMap(({ title, findings }) => formatFindingGroup(title, findings)),
    ...(stopped ? [`Stopped early: ${stopped}`] : []),
    `${verdictCounts.fits} fit, ${verdictCounts.does_not_fit} mismatch, ${verdictCounts.cannot_tell} unknown; ${calls} ${calls === 1 ? 'request' : 'requests'} in ${(took_ms / 1000).toFixed(1)} s, all of them reads`,
    '',
  ].join('\n')
}
