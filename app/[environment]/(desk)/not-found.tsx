import { EmptyState } from '@/components/kits/feedback/empty-state'
import { HomeLink } from '@/components/shell/navigation/nav-list'
import { buttonVariants } from '@/components/ui/button-variants'

export default function DeskNotFound() {
  return (
    <EmptyState
      level={1}
      title="Page not found"
      actions={<HomeLink className={buttonVariants({ variant: 'primary' })}>Home</HomeLink>}
    >
      <p>
        The address may be incomplete, or its ID may be wrong. You can paste an ID into the search
        box above.
      </p>
    </EmptyState>
  )
}
