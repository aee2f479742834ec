import { redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'

type Props = { params: Promise<{ environment: string }> }

/** The home page shows "not found" if the environment does not exist. */
export default async function EnvironmentPage({ params }: Props) {
  redirect(homePath((await params).environment))
}
