'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { ShortId } from '@/components/ui/short-id'
import type { Representative } from '@/lib/operations/representatives.schema'
import { representativeNouns } from './representative-nouns'

/** The rest of what is known: ids, times, metadata, and the record as it came. */
export const RepresentativeRecord = ({ person }: { person: Representative }) => (
  <RecordFacts nouns={representativeNouns} record={person}>
    <Facts>
      <Fact name="Id">
        <ShortId id={person.id} what="representative id" />
      </Fact>
      {person.account_id && (
        <Fact name="Account">
          <ShortId id={`acct_${person.account_id}`} what="account id" />
        </Fact>
      )}
      {person.user_id && (
        <Fact name="User">
          <ShortId id={person.user_id} what="user id" />
        </Fact>
      )}
      <Fact name="External id">{person.external_id ? <ShortId id={person.external_id} what="external id" /> : 'none'}</Fact>
      <Fact name="Created">{person.created_at && <RelativeTime at={person.created_at} />}</Fact>
      <Fact name="Changed">{person.updated_at && <RelativeTime at={person.updated_at} />}</Fact>
      {Object.entries(person.metadata).map(([name, value]) => (
        <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
          <bdi className="break-all">{value}</bdi>
        </Fact>
      ))}
    </Facts>
  </RecordFacts>
)
