package oauth

import (
	"encoding/json"

	"missiond/mission"
)

// serverMetadata describes the server (RFC 8414). It has no other members than those that apply: an empty jwks_uri, for
// one, would be an invalid address.
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	Scopes                []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuthMethods []string `json:"revocation_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	NamesIssuer           bool     `json:"authorization_response_iss_parameter_supported"`
	ReadsDocuments        bool     `json:"client_id_metadata_document_supported"`
}

func (s *Server) describeServer() []byte {
	issuer := s.Agents.Issuer()
	return marshal(serverMetadata{
		Issuer: issuer, AuthorizationEndpoint: issuer + AuthorizePath, TokenEndpoint: issuer + TokenPath,
		RegistrationEndpoint: issuer + RegisterPath, RevocationEndpoint: issuer + RevokePath, Scopes: scopes(),
		ResponseTypes: []string{"code"}, ResponseModes: []string{"query"}, GrantTypes: grantTypes,
		TokenAuthMethods: []string{"none"}, RevocationAuthMethods: []string{"none"}, ChallengeMethods: []string{"S256"},
		NamesIssuer: true, ReadsDocuments: true,
	})
}

var grantTypes = []string{"authorization_code", "refresh_token"}

// resourceMetadata describes what the tokens are for (RFC 9728).
type resourceMetadata struct {
	Resource      string   `json:"resource"`
	Servers       []string `json:"authorization_servers"`
	Scopes        []string `json:"scopes_supported"`
	BearerMethods []string `json:"bearer_methods_supported"`
	Name          string   `json:"resource_name"`
}

func (s *Server) describeResource() []byte {
	return marshal(resourceMetadata{
		Resource: s.Agents.Resource(), Servers: []string{s.Agents.Issuer()}, Scopes: scopes(), BearerMethods: []string{"header"}, Name: "missiond",
	})
}

func scopes() []string {
	var names []string
	for _, s := range mission.AgentScopes() {
		names = append(names, string(s))
	}
	return names
}

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("bug: the server's description: " + err.Error())
	}
	return text
}
