import 'server-only'
import { and, eq, lt } from 'drizzle-orm'
import { AppError } from '@/lib/errors'
import { createMirrorScope } from '@/lib/server/auth/scoped-account'
import { deleteMirroredObjects } from '@/lib/server/mirror/forget'
import { fetchFromService } from '@/lib/server/service/service-read'
import { mirrorCustomers } from '@/lib/server/store/schema/mirror'
import { getDatabase } from '@/lib/server/store/store'
import { requireTimeLeft, type SyncPass } from './call'

/** Maximum customers checked per pass. The rest are checked in later passes. */
const maxCustomerChecks = 50

async function isDeletedAtService({ environment, signal }: SyncPass, id: string): Promise<boolean> {
  try {
    await fetchFromService('customers.get', { id }, createMirrorScope(environment, null), signal)
    return false
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_not_found') return true
    throw error
  }
}

/**
 * A customer is deleted if no list has returned it since the given time and a single read returns
 * 404. Objects of other resources cannot be deleted at the service.
 */
export async function forgetDeletedCustomers(pass: SyncPass, readStartedAt: Date): Promise<void> {
  const { environment } = pass
  const db = await getDatabase()
  const customerRows = await db
    .select({ id: mirrorCustomers.id })
    .from(mirrorCustomers)
    .where(
      and(eq(mirrorCustomers.environment, environment), lt(mirrorCustomers.seenAt, readStartedAt)),
    )
    .limit(maxCustomerChecks)
  for (const { id } of customerRows) {
    requireTimeLeft(pass)
    if (await isDeletedAtService(pass, id))
      await deleteMirroredObjects(environment, 'customers', [id])
  }
}
