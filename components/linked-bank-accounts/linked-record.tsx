'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { ShortId } from '@/components/ui/short-id'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import { linkedNouns } from './linked-nouns'

/** The rest of what is known: ids, times, metadata, and the record as it came. */
export const LinkedRecord = ({ linked }: { linked: LinkedBankAccount }) => (
  <RecordFacts nouns={linkedNouns} record={linked}>
    <Facts>
      <Fact name="Id">
        <ShortId id={linked.id} what="linked bank account id" />
      </Fact>
      {linked.account_id && (
        <Fact name="Account">
          <ShortId id={`acct_${linked.account_id}`} what="account id" />
        </Fact>
      )}
      {linked.platform_id && (
        <Fact name="Platform">
          <ShortId id={linked.platform_id} what="platform id" />
        </Fact>
      )}
      <Fact name="Description">{linked.description ? <bdi>{linked.description}</bdi> : 'none'}</Fact>
      <Fact name="Created">{linked.created_at && <RelativeTime at={linked.created_at} />}</Fact>
      <Fact name="Changed">{linked.updated_at && <RelativeTime at={linked.updated_at} />}</Fact>
      {Object.entries(linked.metadata).map(([name, value]) => (
        <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
          <bdi className="break-all">{value}</bdi>
        </Fact>
      ))}
    </Facts>
  </RecordFacts>
)
