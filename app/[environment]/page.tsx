import { redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'

type Props = { params: Promise<{ environment: string }> }

/**
 * Redirects without a check of the environment: if it does not exist, the home page shows "not
 * found".
 */
export default async function EnvironmentPage({ params }: Props) {
  redirect(homePath((await params).environment))
}
