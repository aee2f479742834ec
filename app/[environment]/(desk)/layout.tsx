import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { AccessDenied } from '@/components/kits/layout/bare-page'
import { Shell } from '@/components/shell/shell'
import { AppError } from '@/lib/errors'
import { homePath } from '@/lib/routes'
import { loadShellContext } from '@/lib/server/http/page-context'

type Props = { params: Promise<{ environment: string }>; children: ReactNode }

/**
 * Loads only the data of the frame (header and menu). Data of a page must not be loaded here,
 * because Next does not render a layout again when the person opens another page.
 */
export default async function DeskLayout({ params, children }: Props) {
  const { environment } = await params
  const requestPath = (await headers()).get('x-paydesk-path') ?? homePath(environment)
  const context = await loadShellContext(environment, requestPath).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'forbidden') return error
    throw error
  })
  if (context instanceof AppError)
    return <AccessDenied environment={environment} detail={context.message} />
  return <Shell context={context}>{children}</Shell>
}
