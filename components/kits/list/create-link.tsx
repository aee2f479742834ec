import { Plus } from 'lucide'
import type { ReactNode } from 'react'
import { Link } from '@/components/kits/layout/link'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { LineIcon } from '@/components/ui/line-icon'

type CreateLinkProps = {
  href: string
  /** Why the person may not create a record. Null if the person may. */
  disabledReason?: string | null
  children: ReactNode
}

/** The link to the form of a new record. A phone has room for its icon only. */
export function CreateLink({ href, disabledReason = null, children }: CreateLinkProps) {
  const content = (
    <>
      <LineIcon shapes={Plus} />
      <span className="max-sm:sr-only">{children}</span>
    </>
  )
  return disabledReason === null ? (
    <Link href={href} className={buttonVariants({ variant: 'primary' })}>
      {content}
    </Link>
  ) : (
    <Button variant="primary" disabledReason={disabledReason}>
      {content}
    </Button>
  )
}
