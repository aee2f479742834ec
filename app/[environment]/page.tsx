import { redirect } from 'next/navigation'
import { homePath } from '@/lib/routes'

type Props = { params: Promise<{ environment: string }> }

/** An environment alone opens on what waits there; that page says so if it does not exist. */
export default async function EnvironmentPage({ params }: Props) {
  redirect(homePath((await params).environment))
}
