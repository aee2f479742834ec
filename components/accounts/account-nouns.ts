import type { RecordNouns } from '@/components/kits/record/record-failed'

export const accountNouns: RecordNouns = { resource: 'accounts', one: 'account', many: 'accounts' }
