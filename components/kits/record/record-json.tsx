'use client'

import { type ReactNode, useState } from 'react'
import { Panel } from '@/components/kits/layout/panel'
import { RequestTrail } from '@/components/kits/requests/request-trail'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Textarea } from '@/components/ui/textarea'
import type { RecordNouns } from './record-failed'

type RecordFactsProps = { nouns: RecordNouns; record: { id: string }; children: ReactNode }

/** The rest of what is known about a record, as `Facts`, and the record as it came behind a button; below it what was asked about it. */
export const RecordFacts = ({ nouns, record, children }: RecordFactsProps) => (
  <>
    <Known one={nouns.one} record={record}>
      {children}
    </Known>
    <RequestTrail target={`${nouns.resource}/${record.id}`} one={nouns.one} />
  </>
)

function Known({ one, record, children }: { one: string; record: unknown; children: ReactNode }) {
  const [raw, setRaw] = useState(false)
  const json = JSON.stringify(record, null, 2)
  return (
    <Panel
      title="Record"
      aside={
        <Button size="small" variant="quiet" aria-expanded={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'Hide JSON' : 'Show JSON'}
        </Button>
      }
    >
      {children}
      {raw && (
        <div className="mt-3 grid gap-1">
          <CopyButton text={json} what="JSON" className="justify-self-end">
            Copy
          </CopyButton>
          <Textarea readOnly rows={16} aria-label={`The ${one} as Paydesk received it`} className="font-mono text-xs" value={json} />
        </div>
      )}
    </Panel>
  )
}
