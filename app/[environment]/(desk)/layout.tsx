import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Shell } from '@/components/shell/shell'
import { payoutsPath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'

type Props = { params: Promise<{ environment: string }>; children: ReactNode }

/** The frame alone: each page opens its own desk, because a layout does not run again when a link is followed. */
export default async function DeskLayout({ params, children }: Props) {
  const { environment } = await params
  const path = (await headers()).get('x-paydesk-path') ?? payoutsPath(environment)
  return <Shell desk={await openDesk(environment, {}, path)}>{children}</Shell>
}
