package mission

// textOverhead is about what a stored text takes beside its characters, in bytes.
const textOverhead = 512

// TextQuota returns how many bytes the texts of a tenant with a plan may take together: those of posts, with their earlier
// ones, comments and the reasons of reviewers.
func TextQuota(p TenantPlan) int64 {
	const mib = 1 << 20
	switch p {
	case PlanEnterprise:
		return 20 << 10 * mib
	case PlanPro:
		return 4 << 10 * mib
	default:
		return 512 * mib
	}
}

// CheckTextQuota returns a conflict if the texts of a tenant with a plan, which take so many bytes, leave no room for another.
func CheckTextQuota(used int64, p TenantPlan) error {
	if most := TextQuota(p); used >= most {
		return Conflict("The texts of all posts take %d MiB, as many as the plan allows: delete missions that aren't needed any more.", most>>20)
	}
	return nil
}

// TextBytes returns about how many bytes a post's text takes, with its parts, first comment and alternative texts.
func (c Content) TextBytes() int {
	n := textBytes(c.Text, c.CommentText()) + len(c.Instructions)
	for _, part := range c.Parts {
		n += len(part)
	}
	for _, m := range c.Media {
		n += textBytes(m.AltText)
	}
	return n
}

// TextBytes returns about how many bytes a comment takes.
func (c ReviewComment) TextBytes() int { return textBytes(c.Text) }

// TextBytes returns about how many bytes a decision takes.
func (r Review) TextBytes() int { return textBytes(r.Reason) }

func textBytes(texts ...string) int {
	n := textOverhead
	for _, t := range texts {
		n += len(t)
	}
	return n
}
