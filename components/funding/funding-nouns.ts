import type { RecordNouns } from '@/components/kits/record/record-failed'

export const fundingNouns: RecordNouns = { resource: 'funding_events', one: 'funding event', many: 'funding events' }
