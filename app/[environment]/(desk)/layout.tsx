import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Denied } from '@/components/shell/denied'
import { Shell } from '@/components/shell/shell'
import { AppError } from '@/lib/errors'
import { homePath } from '@/lib/routes'
import { openDesk } from '@/lib/server/desk'

type Props = { params: Promise<{ environment: string }>; children: ReactNode }

/** The frame alone: each page opens its own desk, because a layout does not run again when a link is followed. */
export default async function DeskLayout({ params, children }: Props) {
  const { environment } = await params
  const path = (await headers()).get('x-paydesk-path') ?? homePath(environment)
  const desk = await openDesk(environment, {}, path).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'forbidden') return error
    throw error
  })
  if (desk instanceof AppError) return <Denied environment={environment} detail={desk.message} />
  return <Shell desk={desk}>{children}</Shell>
}
