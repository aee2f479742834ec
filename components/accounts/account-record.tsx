'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { ShortId } from '@/components/ui/short-id'
import type { Account } from '@/lib/operations/accounts.schema'
import { accountNouns } from './account-nouns'

/** Ids, dates and metadata, and the account as it came. */
export const AccountRecord = ({ account }: { account: Account }) => (
  <RecordFacts nouns={accountNouns} record={account}>
    <Facts>
      <Fact name="Id">
        <ShortId id={account.id} what="account id" />
      </Fact>
      <Fact name="External id">{account.external_id && <ShortId id={account.external_id} what="external id" />}</Fact>
      <Fact name="Access level">{account.access_level}</Fact>
      <Fact name="Created">{account.created_at && <RelativeTime at={account.created_at} />}</Fact>
      <Fact name="Changed">{account.updated_at && <RelativeTime at={account.updated_at} />}</Fact>
      {Object.entries(account.metadata).map(([key, value]) => (
        <Fact key={key} name={<span className="break-all font-mono text-xs">{key}</span>}>
          <bdi className="break-all">{value}</bdi>
        </Fact>
      ))}
    </Facts>
  </RecordFacts>
)
