package identity

// The prefixes of agents' credentials.
const (
	agentCodePrefix    = "cms_code_"
	agentTokenPrefix   = "cms_agent_"
	agentRefreshPrefix = "cms_refresh_"
)

// NewAgentCode returns a new authorization code: as a key, with another prefix. HashKey returns what is
// stored of it, and of the tokens.
func NewAgentCode() string { return newSecret(agentCodePrefix) }

// NewAgentToken returns a new access token of an agent.
func NewAgentToken() string { return newSecret(agentTokenPrefix) }

// NewAgentRefresh returns a new refresh token of an agent.
func NewAgentRefresh() string { return newSecret(agentRefreshPrefix) }

// IsAgentCode reports whether s has the form of an authorization code. What has no form needs no lookup.
func IsAgentCode(s string) bool { return isSecret(agentCodePrefix, s) }

// IsAgentToken reports whether s has the form of an access token of an agent.
func IsAgentToken(s string) bool { return isSecret(agentTokenPrefix, s) }

// IsAgentRefresh reports whether s has the form of a refresh token of an agent.
func IsAgentRefresh(s string) bool { return isSecret(agentRefreshPrefix, s) }
