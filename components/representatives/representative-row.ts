import { reasonText } from '@/lib/domain/account-words'
import { relationshipText } from '@/lib/domain/representative-rules'
import { statusWords, type Tone } from '@/lib/domain/status'
import type { Representative } from '@/lib/operations/representatives.schema'

/** A row of the list, in words. Made on the server, so that the tables of words are not shipped with the list. */
export type RepresentativeRow = {
  id: string
  name: string
  title: string | undefined
  relationship: string
  status: string
  tone: Tone
  why: string
  created_at: string | undefined
  /** `acct_…`; null for one of the platform itself. */
  account: string | null
}

/** A representative as a row. What is verified says nothing more than its state, so the reason is left out then. */
export function rowOf(item: Representative): RepresentativeRow {
  const { label, tone } = statusWords('representative', item.status)
  const why = item.status === 'active' ? '' : reasonText(item.status_detail?.reason)
  return {
    id: item.id,
    name: item.name ?? ([item.first_name, item.last_name].filter(Boolean).join(' ') || item.id),
    title: item.relationship?.title,
    relationship: relationshipText(item),
    status: label,
    tone: item.status === 'onboarding' && item.status_detail?.reason === 'stuck' ? 'held' : tone,
    why,
    created_at: item.created_at,
    account: item.account_id ? `acct_${item.account_id}` : null,
  }
}
