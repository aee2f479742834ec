import { notFound, redirect } from 'next/navigation'
import { payoutsPath } from '@/lib/routes'
import { configuredEnvironments } from '@/lib/server/env'

export default function StartPage() {
  const [first] = configuredEnvironments()
  if (!first) notFound()
  redirect(payoutsPath(first))
}
