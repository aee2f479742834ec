'use client'

import { useState } from 'react'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { ShortId } from '@/components/ui/short-id'
import { Textarea } from '@/components/ui/textarea'
import { dayText } from '@/lib/dates'
import type { Payout } from '@/lib/operations/payouts.schema'

/** The rest of what is known: dates, ids of every party, metadata, and the record as it came. */
export function PayoutIds({ payout }: { payout: Payout }) {
  const traces = Object.entries(payout.trace_ids)
  const [raw, setRaw] = useState(false)
  const metadata = Object.entries(payout.metadata)
  return (
    <Panel
      title="Record"
      aside={
        <Button size="small" variant="quiet" aria-expanded={raw} onClick={() => setRaw(!raw)}>
          {raw ? 'Hide JSON' : 'Show JSON'}
        </Button>
      }
    >
      <Facts>
        <Fact name="Id">
          <ShortId id={payout.id} what="payout id" />
        </Fact>
        <Fact name="Description">{payout.description && <bdi>{payout.description}</bdi>}</Fact>
        <Fact name="External id">{payout.external_id && <ShortId id={payout.external_id} what="external id" />}</Fact>
        <Fact name="Payment date">{payout.payment_date && dayText(payout.payment_date)}</Fact>
        <Fact name="Rail">{payout.payment_rail}</Fact>
        <Fact name="Created">{payout.created_at && <RelativeTime at={payout.created_at} />}</Fact>
        <Fact name="Changed">{payout.updated_at && <RelativeTime at={payout.updated_at} />}</Fact>
        <Fact name="Processed">{payout.processed_at ? <RelativeTime at={payout.processed_at} /> : 'not yet'}</Fact>
        <Fact name="Settled">{payout.effective_at ? <RelativeTime at={payout.effective_at} /> : 'not yet'}</Fact>
        {traces.map(([party, id]) => (
          <Fact key={party} name={`Trace, ${party}`}>
            <ShortId id={id} what={`trace id of ${party}`} />
          </Fact>
        ))}
        {payout.funding_ids.map((id) => (
          <Fact key={id} name="Funding event">
            <ShortId id={id} what="funding event id" />
          </Fact>
        ))}
        {metadata.map(([name, value]) => (
          <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
            <bdi className="break-all">{value}</bdi>
          </Fact>
        ))}
      </Facts>
      {raw && (
        <div className="mt-3 grid gap-1">
          <CopyButton text={JSON.stringify(payout, null, 2)} what="JSON" className="justify-self-end">
            Copy
          </CopyButton>
          <Textarea
            readOnly
            rows={16}
            aria-label="The payout as Paydesk received it"
            className="font-mono text-xs"
            value={JSON.stringify(payout, null, 2)}
          />
        </div>
      )}
    </Panel>
  )
}
