'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { offlineReason, useOnline } from '@/components/kits/layout/browser-state'
import { Panel } from '@/components/kits/layout/panel'
import { AgeChip } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import { type Tone, ToneIcon, toneTextClasses } from '@/components/ui/tone'
import { CallError } from '@/lib/client/call-error'
import { operationQuery } from '@/lib/client/query/reads'
import type { Environment } from '@/lib/operations/define'
import {
  type CheckVerdict,
  countVerdicts,
  type FindingGroup,
  type ServiceFinding,
  type ServiceReport,
} from '@/lib/operations/service-check'
import { getServiceOperation, isServiceOperationId } from '@/lib/operations/service-operations'

const verdictLabels: Readonly<Record<CheckVerdict, string>> = {
  fits: 'Match',
  does_not_fit: 'Mismatch',
  cannot_tell: 'Unknown',
}

/** Returns the label of a finding. The id of an operation is replaced by its verb phrase. */
function toFindingLabel(label: string): string {
  if (!isServiceOperationId(label)) return label
  const { verbPhrase } = getServiceOperation(label)
  return `${verbPhrase[0]?.toUpperCase()}${verbPhrase.slice(1)}`
}

function formatSummary({
  fits,
  does_not_fit,
  cannot_tell,
}: Readonly<Record<CheckVerdict, number>>): string {
  const unknownText = cannot_tell > 0 ? `, ${cannot_tell} unknown` : ''
  const totalCount = fits + does_not_fit + cannot_tell
  if (does_not_fit > 0)
    return `${does_not_fit} of ${totalCount} checks found a mismatch${unknownText}`
  return `No mismatch found: ${fits} ${fits === 1 ? 'match' : 'matches'}${unknownText}`
}

const toneByVerdict: Record<CheckVerdict, Tone> = {
  fits: 'good',
  does_not_fit: 'bad',
  cannot_tell: 'unknown',
}

export function ConnectionCheckReport({ report }: { report: ServiceReport }) {
  const counts = countVerdicts(report)
  const tone: Tone = counts.does_not_fit > 0 ? 'bad' : report.stopped ? 'held' : 'good'
  return (
    <div className="grid gap-4">
      <Notice tone={tone} title={formatSummary(counts)}>
        {report.stopped && (
          <p>Stopped early: {report.stopped}. The remaining checks did not run.</p>
        )}
        <p>
          {report.calls} {report.calls === 1 ? 'request' : 'requests'} in{' '}
          {(report.took_ms / 1000).toFixed(1)} s, all of them reads.{' '}
          <AgeChip at={report.started_at} limit={600_000} what="As of" />
        </p>
      </Notice>
      {report.groups.map((group) => (
        <FindingGroupView key={group.title} {...group} />
      ))}
    </div>
  )
}

const FindingGroupView = ({ title, findings }: FindingGroup) => (
  <section aria-label={title}>
    <h3 className="mb-1 font-semibold text-sm">{title}</h3>
    <ul className="grid">
      {findings.map((finding) => (
        <FindingLine key={finding.label} {...finding} />
      ))}
    </ul>
  </section>
)

/** True if the advice is a line of the settings file and not a sentence. */
const isEnvironmentVariableLine = (advice: string): boolean => /^[A-Z_]+=/.test(advice)

const FindingLine = ({ label, verdict, text, set, status, took_ms }: ServiceFinding) => (
  <li className="grid min-h-6 grid-cols-[1rem_11.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2 border-line border-b py-1 text-sm last:border-b-0 max-sm:grid-cols-[1rem_minmax(0,1fr)]">
    <ToneIcon
      tone={toneByVerdict[verdict]}
      className={cn('size-4 self-start', toneTextClasses[toneByVerdict[verdict]])}
    />
    <span className="text-ink-3 max-sm:font-medium max-sm:text-ink">{toFindingLabel(label)}</span>
    <span className="min-w-0 break-words text-ink-2 max-sm:col-start-2">
      <span className={cn(verdict === 'fits' ? 'sr-only' : 'font-medium text-ink')}>
        {verdictLabels[verdict]}:{' '}
      </span>
      {text}
      {set && (
        <span className="mt-0.5 block text-ink">
          <span className="text-ink-3">To resolve: </span>
          {isEnvironmentVariableLine(set) ? (
            <code className="break-all font-mono text-xs">{set}</code>
          ) : (
            set
          )}
        </span>
      )}
    </span>
    <span className="whitespace-nowrap text-2xs text-ink-3 tabular-nums max-sm:col-start-2">
      {took_ms !== undefined && `${status ?? 'no answer'}, ${took_ms.toLocaleString('en-US')} ms`}
    </span>
  </li>
)

/**
 * Returns the error to show. If Paydesk did not respond, its text recommends to repeat the check,
 * which only reads.
 */
function toConnectionCheckError(error: CallError): CallError {
  if (!error.local) return error
  return new CallError(
    'unavailable',
    'Paydesk did not answer. A check only reads data, so you can run the check again at any time.',
    {
      local: true,
    },
  )
}

/** Leaving the page aborts a running check. */
function useConnectionCheck(environment: Environment) {
  const { data, error, isFetching, refetch } = useQuery({
    ...operationQuery({ environment, account: null }, 'service.check', {}),
    enabled: false,
    gcTime: 0,
  })
  return {
    report: data?.data,
    error: isFetching || !error ? null : toConnectionCheckError(error),
    running: isFetching,
    run: refetch,
  }
}

/** Runs a few dozen reads at the service. The last report stays visible during a new check. */
export function ConnectionCheck({ environment }: { environment: Environment }) {
  const { report, error, running, run } = useConnectionCheck(environment)
  const isOnline = useOnline()
  return (
    <Panel
      title="Connection check"
      aside={
        <Button
          size="small"
          loading={running}
          disabledReason={isOnline ? null : offlineReason}
          onClick={() => void run()}
        >
          {report ? 'Check connection again' : 'Check connection'}
        </Button>
      }
    >
      <div className="grid gap-3" aria-busy={running || undefined}>
        <p role="status" className={cn('text-ink-2 text-sm', !running && report && 'sr-only')}>
          {formatConnectionCheckStatus(running, report)}
        </p>
        {error && (
          <ErrorNotice
            urgent
            what="The connection could not be checked"
            error={error.toWire()}
            requestId={error.requestId}
          />
        )}
        {report && (
          <div className={cn(running && 'opacity-60')}>
            <ConnectionCheckReport report={report} />
          </div>
        )}
      </div>
    </Panel>
  )
}

function formatConnectionCheckStatus(running: boolean, report: ServiceReport | undefined): string {
  if (running) return 'Checking: reading from the payments service…'
  if (report) return 'The check is done.'
  return 'Reads a few objects of each kind and compares them with the configuration. Nothing is changed.'
}
