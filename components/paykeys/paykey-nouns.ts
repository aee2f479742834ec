import type { RecordNouns } from '@/components/kits/record/record-failed'

export const paykeyNouns: RecordNouns = { resource: 'paykeys', one: 'paykey', many: 'paykeys' }
