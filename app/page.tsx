import { notFound, redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'
import { listConfiguredEnvironments } from '@/lib/server/config/env'
import { findFirstEnvironment } from '@/lib/server/http/page-context'

/**
 * Redirects to the first environment in which the person has a grant, or else to the first configured one. That page handles missing grants
 * and the sign-in.
 */
export default async function StartPage() {
  const environment = (await findFirstEnvironment()) ?? listConfiguredEnvironments()[0]
  if (!environment) notFound()
  redirect(homePath(environment))
}
