import type { RecordNouns } from '@/components/kits/record/record-failed'

export const representativeNouns: RecordNouns = { resource: 'representatives', one: 'representative', many: 'representatives' }
