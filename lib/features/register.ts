import 'server-only'
/**
 * Registers the features' background jobs and hooks, because `lib/server` cannot import features.
 * Therefore every entry point that runs operations must import this file: the start of the server,
 * and each entry that Next bundles separately (`scripts/registration.test.ts` checks this).
 */
import { countPersonQueues } from '@/lib/features/home/server/queue-counts'
import { startNotificationMailJob } from '@/lib/features/notifications/server/mail-job'
import { registerJob } from '@/lib/server/http/registration'
import '@/lib/features/claims/server/register'
import '@/lib/features/customers/server/register'
import '@/lib/features/deletions/server/register'
import '@/lib/features/limits/server/register'
import '@/lib/features/payments/server/register'
import '@/lib/features/paykeys/server/register'

registerJob(() => startNotificationMailJob(countPersonQueues))
