job "far" {
  group "g" {
    disconnect {
      lost_after = "6h"
      replace    = true
      reconcile  = "best_score"
    }
    ephemeral_disk {
      size    = 500
      sticky  = true
      migrate = true
    }
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
