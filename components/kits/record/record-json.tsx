'use client'

import { lazy, type ReactNode, useId, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, Panel, UnreadableFact } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Boundary } from '@/components/ui/boundary'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Textarea } from '@/components/ui/input'
import { Skeleton } from '@/components/ui/skeleton'
import { formatRoles } from '@/lib/domain/permissions'
import { requestLogRoles } from '@/lib/operations/define'
import type { RecordNouns } from './record-failed'

const RequestLogList = lazy(() =>
  import('@/components/kits/requests/call-details').then((module) => ({
    default: module.RecordCallList,
  })),
)

/** `target` is `<resource>/<id>`. The requests are fetched when the person opens the panel. */
function RequestLogPanel({ target, one }: { target: string; one: string }) {
  const { person } = usePageContext()
  const [open, setOpen] = useState(false)
  const listElementId = useId()
  const disabledReason = person.roles.some((role) => requestLogRoles.includes(role))
    ? null
    : `Only ${formatRoles(requestLogRoles)} can read the request log.`
  return (
    <Panel
      title="Requests"
      className="print:hidden"
      aside={
        <Button
          size="small"
          variant="quiet"
          aria-expanded={open}
          aria-controls={listElementId}
          disabledReason={disabledReason}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide requests' : 'Show requests'}
        </Button>
      }
    >
      <div id={listElementId}>
        {open ? (
          <Boundary fallback={<Skeleton className="h-24" />}>
            <RequestLogList target={target} />
          </Boundary>
        ) : (
          <p className="text-ink-3">
            Every request from Paydesk about this {one}: who sent what, when, and the service’s
            answer.
          </p>
        )}
      </div>
    </Panel>
  )
}

type RecordTimesProps = {
  record: { created_at?: string | null | undefined; updated_at?: string | null | undefined }
}

export const RecordTimes = ({ record: { created_at, updated_at } }: RecordTimesProps) => (
  <>
    <Fact name="Created" field="created_at">
      {created_at && <RelativeTime at={created_at} />}
    </Fact>
    <Fact name="Changed" field="updated_at">
      {updated_at && <RelativeTime at={updated_at} />}
    </Fact>
  </>
)

export const MetadataFacts = ({ metadata }: { metadata: Readonly<Record<string, string>> }) => (
  <>
    <UnreadableFact name="Metadata" field="metadata" />
    {Object.entries(metadata).map(([name, value]) => (
      <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
        <ExternalText className="break-all">{value}</ExternalText>
      </Fact>
    ))}
  </>
)

type RecordFactsProps = { nouns: RecordNouns; record: { id: string }; children: ReactNode }

export const RecordFacts = ({ nouns, record, children }: RecordFactsProps) => (
  <>
    <JsonPanel title="Record" label={`The ${nouns.one} as Paydesk received it`} json={record}>
      {children}
    </JsonPanel>
    <RequestLogPanel target={`${nouns.resource}/${record.id}`} one={nouns.one} />
  </>
)

/** `label` names the JSON for screen readers. If `json` is null, there is no button to show it. */
type JsonPanelProps = { title: string; label: string; json: unknown; children: ReactNode }

export function JsonPanel({ title, label, json, children }: JsonPanelProps) {
  const [isJsonShown, setJsonShown] = useState(false)
  const jsonText = JSON.stringify(json, null, 2)
  return (
    <Panel
      title={title}
      aside={
        json !== null && (
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isJsonShown}
            onClick={() => setJsonShown(!isJsonShown)}
          >
            {isJsonShown ? 'Hide JSON' : 'Show JSON'}
          </Button>
        )
      }
    >
      {children}
      {isJsonShown && (
        <div className="mt-3 grid gap-1">
          <CopyButton text={jsonText} what="JSON" className="justify-self-end">
            Copy
          </CopyButton>
          <Textarea
            readOnly
            rows={16}
            aria-label={label}
            className="font-mono text-xs"
            value={jsonText}
          />
        </div>
      )}
    </Panel>
  )
}
