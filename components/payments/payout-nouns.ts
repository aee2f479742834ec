import type { RecordNouns } from '@/components/kits/record/record-failed'

export const payoutNouns: RecordNouns = { resource: 'payouts', one: 'payout', many: 'payouts' }
