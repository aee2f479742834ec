import { ListSkeleton } from '@/components/payouts/list-skeleton'

export default ListSkeleton
