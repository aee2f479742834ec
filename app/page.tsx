import { notFound, redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'
import { configuredEnvironments } from '@/lib/server/config/env'
import { firstEnvironment } from '@/lib/server/http/page-context'

/**
 * Redirects to the first environment the user has a grant for, else to the first configured one. The target page handles missing grants and
 * sign-in.
 */
export default async function StartPage() {
  const environment = (await firstEnvironment()) ?? configuredEnvironments()[0]
  if (!environment) notFound()
  redirect(homePath(environment))
}
