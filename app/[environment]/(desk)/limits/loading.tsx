import { OverviewSkeleton } from '@/components/limits/overview/overview'

const Loading = () => (
  <div className="pt-14">
    <OverviewSkeleton />
  </div>
)

export default Loading
