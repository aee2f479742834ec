import { notFound, redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'
import { listConfiguredEnvironments } from '@/lib/server/config/env'
import { findFirstEnvironment } from '@/lib/server/http/page-context'

/**
 * Redirects to the home page of the first environment in which the person has a role. Without a
 * session or a role, redirects to the first configured environment, whose home page requires
 * sign-in or shows that access is denied.
 */
export default async function StartPage() {
  const environment = (await findFirstEnvironment()) ?? listConfiguredEnvironments()[0]
  if (!environment) notFound()
  redirect(homePath(environment))
}
