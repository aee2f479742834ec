import { notFound, redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'
import { configuredEnvironments } from '@/lib/server/config/env'
import { firstEnvironment } from '@/lib/server/http/page-context'

/** The way in: the first environment one has a grant for. Who has none is told so there, and who is signed out signs in there. */
export default async function StartPage() {
  const environment = (await firstEnvironment()) ?? configuredEnvironments()[0]
  if (!environment) notFound()
  redirect(homePath(environment))
}
